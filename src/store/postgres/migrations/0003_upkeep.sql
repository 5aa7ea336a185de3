-- What the settings for keeping have removed. When each went, milliseconds since 1970; null while it is there.
alter table submission add column original_gone bigint;
alter table submission add column ledger_gone bigint;
