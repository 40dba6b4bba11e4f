-- Set-up checklists that staff users no longer want to see, by merchant.
CREATE TABLE "setup_dismissal" (
    "staff_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setup_dismissal_pkey" PRIMARY KEY ("staff_id", "merchant_id")
);

ALTER TABLE "setup_dismissal" ADD CONSTRAINT "setup_dismissal_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_user" ("id")
  ON DELETE CASCADE ON UPDATE CASCADE;
