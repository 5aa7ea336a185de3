-- When the sample's owner declined it, milliseconds since 1970; null while it applies.
alter table curation_link add column declined integer;
-- 1: other accounts may attach structured data to this account's public samples.
alter table account add column others_attach integer not null default 0;
