-- What interrupted a submission since it last got further: the rule and the shape stand in src/submissions/attempts.ts.
-- `stalled` is left to the version before, which may still be running.
alter table submission add column setbacks text;
alter table submission add column next_try integer;
alter table submission add column alone integer not null default 0;
