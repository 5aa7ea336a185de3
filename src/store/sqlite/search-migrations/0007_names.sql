-- Which names the samples of a span may have (src/store/postings/name-filter.ts): id = span * 8 + part. sum: of number and bytes
-- (search-damage.ts).
create table name_part (
  id integer primary key,
  data blob not null,
  sum integer not null
) strict;

-- 1 when the names of its samples are in the parts of its span; 0 of a program that knows nothing of them.
alter table segment add column named integer not null default 0;
create index segment_unnamed on segment (span) where named = 0;
