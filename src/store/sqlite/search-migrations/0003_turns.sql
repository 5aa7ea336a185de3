-- The account whose turn was last.
alter table progress add column turn integer not null default 0;

-- Rows of the store's journal behind progress.seq of which samples are taken in already, and how many.
create table taken (
  seq integer primary key,
  samples integer not null
) strict;
alter table progress drop column part;
