-- What came of a standing sheet, as JSON; '{}' while its plan runs, which later uploads into the key space wait for.
alter table submission add column standing text;
