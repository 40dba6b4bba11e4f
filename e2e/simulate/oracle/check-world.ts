import { findViolations } from '../../world/checker/find-violations.ts';
import { type Violation, violation } from '../../world/checker/violation.ts';
import type { WorldRun } from '../run-world.ts';
import { checkStaffWork } from './check-staff-work.ts';

/** Checks what a world did against the invariants and the gateways' own records. */
export function checkWorld({ observations, verified, staffWork, unhandled }: WorldRun): Violation[] {
  return [
    ...findViolations({ ...observations, wrongRollups: verified.wrongRollups }),
    ...unhandled.map((what) => violation('process_ended', `a promise was rejected without a handler: ${what}`)),
    ...verified.decisions.map((what) => violation('decision_differs', what)),
    ...verified.otherPlans.map((what) => violation('plan_not_followed', what)),
    ...verified.chains.map((what) => violation('audit_chain_broken', what)),
    ...(staffWork === null ? [] : checkStaffWork(staffWork)),
  ];
}
