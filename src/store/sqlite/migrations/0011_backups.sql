-- When the last backup was taken, milliseconds since 1970: one row at most.
create table backup (id integer primary key check (id = 1), at integer not null) strict;
