-- What a token was made with, and what it is: a token ends with its parent. `kind` is null for one that somebody made.
alter table token add column kind text;
alter table token add column parent text collate "C";
update token set parent = substr(name, length('page session of token ') + 1) where name like 'page session of token %';
update token set kind = 'session' where name = 'page session' or name like 'page session of token %';
update token set kind = 'password' where name = 'password sign-in';
update token set kind = 'setting'
  where name = 'ADMIN_TOKEN' and account = (select id from account where name = 'admin');
create index token_parent on token (parent) where parent is not null;
create index token_account on token (account, created);

-- When a one-time password ends, milliseconds since 1970; null for any other password.
alter table account add column password_until bigint;
