import './types/scalars.ts';
import './queries/system.ts';
import './queries/payments.ts';
import './queries/customer.ts';
import './queries/lists.ts';
import './queries/volume.ts';
import './queries/performance.ts';
import './queries/fees.ts';
import './queries/settlement.ts';
import './queries/settlements.ts';
import './queries/month-close.ts';
import './queries/journal.ts';
import './queries/bank.ts';
import './queries/settlement-files.ts';
import './queries/settlement-discrepancies.ts';
import './queries/refund-approvals.ts';
import './queries/incidents.ts';
import { builder } from './builder.ts';

/** The whole schema. */
export const schema = builder.toSchema({ sortSchema: true });
