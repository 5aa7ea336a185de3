-- Which names the samples of a span may have (src/store/postings/name-filter.ts): id = span * 8 + part. A span has all
-- of its parts, or none where it has segments of before. sum: of number and bytes (search-damage.ts).
create table name_part (
  id integer primary key,
  data blob not null,
  sum integer not null
) strict;
