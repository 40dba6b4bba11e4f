ALTER TYPE "settlement_discrepancy_kind" ADD VALUE 'OVERCHARGED';
