-- How a merchant's payment page looks, and where it may be shown in a frame. The picture is found by its content.
create table merchant_brands (
  merchant_id uuid primary key references merchants (id),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  embed_origins text[] not null default '{}' check (cardinality(embed_origins) <= 20),
  logo bytea check (octet_length(logo) between 1 and 65536),
  logo_media_type text check (logo_media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  logo_sha256 bytea generated always as (sha256(logo)) stored,
  check ((logo is null) = (logo_media_type is null))
);

create index merchant_brands_by_logo on merchant_brands (logo_sha256) where logo_sha256 is not null;
