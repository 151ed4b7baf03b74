-- Whose an address is where its case means nothing: nodes write addresses of Ethereum's kind in lower case, and we in EIP-55
-- form, which takes too long to make for every stranger in every block.
create index deposit_addresses_by_lower_hash on deposit_addresses using hash (lower(address))
  where tag = '' and address like '0x%';
