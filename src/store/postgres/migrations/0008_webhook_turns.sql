-- Turns of accounts in the sending of webhooks, and rest for receivers that do not answer. Times are milliseconds.

-- Host and port of the address; the program fills it in for webhooks of before.
alter table webhook add column host text not null default '';
-- When a delivery of it was last taken.
alter table webhook add column taken bigint not null default 0;
-- Failures of the account's receivers at this host since one last answered, and until when they are left alone.
alter table webhook add column failures int not null default 0;
alter table webhook add column rest_until bigint not null default 0;

create index webhook_delivery_due on webhook_delivery (webhook, next_attempt, number) where state = 'waiting';
create index webhook_delivery_expires on webhook_delivery (expires) where state = 'waiting';
create index webhook_delivery_leased on webhook_delivery (webhook) where leased_until > 0;
