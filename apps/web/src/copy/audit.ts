/** Actions whose name alone does not read well. */
const ACTIONS: Readonly<Record<string, string>> = {
  'staff.signed_in': 'Signed in',
  'staff.joined': 'Joined the team',
  'staff.invited': 'Invited a person',
  'staff.invitation_renewed': 'Created a new invitation link',
  'staff.invitation_withdrawn': 'Withdrew an invitation',
  'staff.invitation_restored': 'Restored an invitation',
  'staff.created': 'Created a person',
  'staff.disabled': 'Deactivated a person',
  'staff.enabled': 'Reactivated a person',
  'staff.role_granted': 'Granted a role',
  'staff.role_revoked': 'Removed a role',
  'staff.reset_link_made': 'Created a reset link',
  'staff.password_reset': 'Reset their password',
  'staff.password_changed': 'Changed their password',
  'staff.sessions_ended': 'Ended sessions',
  'staff.two_factor_enabled': 'Turned on two-factor authentication',
  'staff.two_factor_disabled': 'Turned off two-factor authentication',
  'staff.two_factor_required': 'Required two-factor authentication',
  'staff.two_factor_made_optional': 'Made two-factor authentication optional',
  'staff.two_factor_reset': 'Reset two-factor authentication',
  'staff.backup_codes_renewed': 'Created new backup codes',
  'audit.keyed': 'Started signing the audit log',
  'retention.changed': 'Changed how long data is kept',
  'customer.exported': 'Exported a customer',
  'customer.erased': 'Erased a customer',
};

/** An action of the audit log in words: `API key revoked`. */
export function describeAction(action: string): string {
  return ACTIONS[action] ?? titleOf(action);
}

/** A kind of object in words: `Rule set`. */
export function describeKind(objectType: string): string {
  switch (objectType) {
    case 'staff':
      return 'Person';
    case 'rule_set_version':
      return 'Rule set';
    case 'reconciliation_difference':
      return 'Discrepancy';
    default:
      return titleOf(objectType);
  }
}

/** The merchant of a change, or the workspace itself. */
export function describeMerchant(merchantId: string | null, name: string | null): string {
  return merchantId === null ? 'Workspace' : (name ?? 'Unknown merchant');
}

function titleOf(name: string): string {
  const words = name.replace(/[._]/g, ' ').replace(/\bapi\b/, 'API');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Why a chain is invalid, as a sentence about the entry where it breaks. */
export function describeBreak(why: ChainBreak): string {
  switch (why) {
    case 'changed':
      return 'it is not as it was written';
    case 'missing':
      return 'it is missing';
    case 'not_continued':
      return 'it does not continue the entry before it';
    case 'cut_off':
      return 'it and whatever followed were cut off the end';
    case 'past_head':
      return 'it stands past the recorded end';
    case 'not_as_kept':
      return 'its hash is not the one you kept';
    case 'unkeyed':
      return 'it was written without the key that entries before it have';
    case 'unknown_key':
      return 'this service does not hold the key it was written with';
    case 'head_forged':
      return 'the recorded end was not written by this service';
    default:
      return why satisfies never;
  }
}

/** Why a hash chain is invalid. */
export type ChainBreak =
  | 'changed'
  | 'missing'
  | 'not_continued'
  | 'cut_off'
  | 'past_head'
  | 'not_as_kept'
  | 'unkeyed'
  | 'unknown_key'
  | 'head_forged';
