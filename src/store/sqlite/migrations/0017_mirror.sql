-- The registry that this one is a copy of, when it is one: one row, with the place in its log of changes up to which
-- everything is here.
create table mirror (
  id integer primary key check (id = 1),
  source text not null,
  cursor text
) strict;
