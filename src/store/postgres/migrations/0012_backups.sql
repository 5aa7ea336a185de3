-- When the last backup was taken, milliseconds since 1970: one row at most.
create table backup (id int primary key check (id = 1), at bigint not null);
