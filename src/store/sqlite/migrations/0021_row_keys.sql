-- Own keys of rows: which sample a key means within a key space of an account; written in the transaction of the samples.
-- `submission` is the one whose row gave it, absent for a request. The checksum is the program's (row-checks.ts).
create table key_space (
  id integer primary key,
  account integer not null references account (id),
  name text not null,
  unique (account, name)
) strict;
create table sample_key (
  space integer not null,
  key text not null,
  sample integer not null,
  submission integer,
  row_check integer,
  primary key (space, key)
) strict, without rowid;
create unique index sample_key_sample on sample_key (sample, space);
alter table submission add column key_space integer;
create index submission_key_space on submission (key_space, id) where state = 'ACTIVE' and key_space is not null;
