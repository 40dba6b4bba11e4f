export { describeLink } from './describe-link.ts';
export { deliverLink, type LinkPurpose, type LinkSending, linkAddress } from './link-emails.ts';
export { makeResetLink, requestReset, resetPassword } from './reset-password.ts';
export type { IssuedLink } from './staff-link.ts';
