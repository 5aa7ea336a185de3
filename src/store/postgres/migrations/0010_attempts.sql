-- What interrupted a submission since it last got further: the rule and the shape stand in src/submissions/attempts.ts.
-- `stalled` is left to the version before, which may still be running.
alter table submission add column setbacks text;
alter table submission add column next_try bigint;
alter table submission add column alone smallint not null default 0;
