-- Samples that a batch wrote together (docs/decisions/0150): `count` of them from number `first` on, all of one cell, that is of
-- the same `first >> 6`. Never changed, never removed; of the blocks that hold a number, the greatest `number` is the latest.
-- `body`: names, releases, contents and lines, packed (packed-block.ts). `earliest` and `latest` of its releases; `longest`: bytes
-- of the longest content. `crc`: over all of the row but its keys (block-reader.ts).
create table sample_block (
  number integer primary key,
  cell integer not null,
  first integer not null,
  count integer not null,
  account integer not null,
  author integer not null,
  via integer not null,
  submission integer,
  version integer not null,
  created integer not null,
  updated integer not null,
  submitted integer,
  admin_status text,
  earliest integer not null,
  latest integer not null,
  layout integer,
  longest integer not null,
  crc integer not null,
  body blob not null
) strict;
create index sample_block_cell on sample_block (cell);
