-- Columns that facets are counted in and ranges are found by (src/store/columns).

-- Characteristics by the code of their names; numbers from 16 on.
create table facet_key (
  id int primary key,
  code bigint not null unique
);

create table facet_block (
  key int not null,
  block int not null,
  data bytea not null,
  primary key (key, block)
);

-- What `moved` was when the columns were last written with the entries. Another value, as of before the columns or after
-- a step of an earlier version's process: they have to be filled from all samples.
alter table search_progress add column columns_moved bigint not null default -1;
-- True while samples are visited for the columns alone: their entries are there.
alter table search_progress add column refilling boolean not null default false;
