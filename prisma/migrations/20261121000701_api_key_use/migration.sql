-- How many requests each key let in, by day.

CREATE TABLE "api_key_use" (
    "merchant_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL,

    CONSTRAINT "api_key_use_pkey" PRIMARY KEY ("merchant_id","key_id","day")
);
