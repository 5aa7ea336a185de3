-- Twice as many bits for a name (src/store/postings/name-filter.ts): id = span * 16 + part. sum: of number and bytes (search-damage.ts).
-- What an index of before holds is made anew from the samples.
drop table name_part;
create table name_filter (
  id integer primary key,
  data blob not null,
  sum integer not null
) strict;
delete from segment;
delete from posting_page;
delete from merging;
delete from facet_block;
delete from facet_key;
delete from name_only;
delete from taken;
delete from progress;
-- Drawn whenever the index is begun anew, as its segments are numbered from one again.
alter table progress add column made integer not null default 0;
