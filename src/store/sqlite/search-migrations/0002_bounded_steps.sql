-- Steps of indexing that cannot take seconds, and what they leave behind when their process dies in one.

-- Attempts at the present step, and the process of the last one; above 0 between steps: that process died in it.
alter table progress add column begun integer not null default 0;
alter table progress add column worker text;
-- How many more samples go one at a time, to find the one that a process dies of.
alter table progress add column careful integer not null default 0;
-- When a step last ended, milliseconds since 1970.
alter table progress add column moved integer not null default 0;

-- Digest of the terms: a change that leaves them as they were, such as a release or an undo, writes none.
alter table entry add column digest text;

-- Samples that are found by name and accession alone, and why.
create table name_only (
  id integer primary key,
  reason text not null,
  at integer not null
) strict;

-- No write sets off a merge of segments by itself: one of a whole level took seconds. The indexer merges in slices.
insert into entry_terms (entry_terms, rank) values ('automerge', 0);
insert into entry_terms (entry_terms, rank) values ('crisismerge', 1999);
insert into entry_terms (entry_terms, rank) values ('usermerge', 16);
-- A segment of which a tenth was replaced (the engine's own limit) was written again and again during an update of all.
insert into entry_terms (entry_terms, rank) values ('deletemerge', 50);

update progress set moved = unixepoch() * 1000;
