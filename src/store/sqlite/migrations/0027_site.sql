-- What all processes on the store must agree on: how accessions begin, and which place of uploaded files is the store's.
create table site (name text primary key, value text not null) without rowid;
