-- Columns that facets are counted in and ranges are found by (src/store/columns).

-- Characteristics by the code of their names; numbers from 16 on.
create table facet_key (
  id integer primary key,
  code integer not null unique
) strict;

-- One block of a column: id = column * 4194304 + number of the block.
create table facet_block (
  id integer primary key,
  data blob not null
) strict;

-- What `moved` was when the columns were last written with the entries. Another value, as in a file of before the
-- columns: they have to be filled from all samples.
alter table progress add column columns_moved integer not null default -1;
-- 1 while samples are visited for the columns alone: their entries are there.
alter table progress add column refilling integer not null default 0;
