-- When a change was written, milliseconds since 1970: how long the search index is behind.
alter table change add column at integer;
