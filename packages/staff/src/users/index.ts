export { type ChangeStaffUserOutcome, requireTwoFactor, resetTwoFactor, setStaffDisabled } from './change-staff-user.ts';
export { type CreateStaffUserOutcome, createStaffUser, type NewStaffUser } from './create-staff-user.ts';
export { type IssuedByStaff, listIssued } from './list-issued.ts';
export { listTeam } from './list-team.ts';
export { setTimeZone } from './set-time-zone.ts';
export { listTableChoices, setTableChoice, type TableChoice, tableChoice } from './table-choices.ts';
