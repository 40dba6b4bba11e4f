-- What a key may do and from where. Empty: everything and from anywhere, as before.
ALTER TABLE "api_key" ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "api_key" ADD COLUMN "allowed_addresses" TEXT[] NOT NULL DEFAULT '{}';
