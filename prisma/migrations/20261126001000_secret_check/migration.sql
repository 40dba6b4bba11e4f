-- By what a process knows that a secret of its environment is the one that the others have.
CREATE TABLE "secret_check" (
    "name" TEXT NOT NULL,
    "value" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_check_pkey" PRIMARY KEY ("name")
);
