-- Webhooks that hear of changes to samples: what they ask for, and up to where in the log of changes deliveries were made.
-- Null: of submissions alone.
alter table webhook add column filters text;
alter table webhook add column cursor text;
-- When changes were last looked for.
alter table webhook add column looked bigint not null default 0;
create index webhook_following on webhook (looked) where cursor is not null;

-- A delivery of changes: those between two places in the log, and how many they were. Its submission is 0.
alter table webhook_delivery add column from_cursor text;
alter table webhook_delivery add column to_cursor text;
alter table webhook_delivery add column changes int;
