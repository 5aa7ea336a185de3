-- Steps of indexing that are bounded whatever the store holds, and what they leave behind when their process dies in one.

-- When a change was written, milliseconds since 1970: how long the search index is behind.
alter table change add column at bigint;
alter table change alter column at set default floor(extract(epoch from clock_timestamp()) * 1000)::bigint;

-- Attempts at the present step, and whose the last one was; above 0 between steps: that process died in it.
alter table search_progress add column begun int not null default 0;
alter table search_progress add column worker text;
-- How many more samples go one at a time, to find the one that a process dies of.
alter table search_progress add column careful int not null default 0;
-- When a step last ended, milliseconds since 1970.
alter table search_progress add column moved bigint not null default 0;

-- Samples that are found by name and accession alone, and why.
create table name_only (
  id bigint primary key,
  reason text not null,
  at bigint not null
);

update search_progress set moved = floor(extract(epoch from clock_timestamp()) * 1000)::bigint;
