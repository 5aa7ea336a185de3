-- CRC-32 of the uploaded file, which a reader compares; null for one of before, whose SHA-256 is compared.
alter table submission add column crc32 integer;
