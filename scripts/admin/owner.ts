import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { inviteStaff } from '@switchyard/staff/invitations';
import { linkAddress } from '@switchyard/staff/links';
import { Problem } from '../bootstrap/problem.mjs';

const ACTOR = 'system:owner-create';

async function invite(switchyard: Switchyard, person: { email: string; name: string }): Promise<void> {
  const outcome = await inviteStaff(switchyard, {
    ...person,
    grants: [{ merchantId: null, role: 'owner' }],
    twoFactorRequired: true,
    merchantScope: { everywhere: true, merchantIds: [] },
    actor: ACTOR,
  });
  switch (outcome.kind) {
    case 'invited':
      console.log(`Open this link to choose a password, before ${outcome.link.expiresAt.toISOString()}:\n`);
      console.log(linkAddress(switchyard.resources.publicUrl, 'invitation', outcome.link));
      return;
    case 'invalid':
      throw new Problem(outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; '));
    case 'exists':
      throw new Problem(`${outcome.name} has this address already.`, ['Any owner can make a link for a new password.']);
    case 'unknown_merchant':
    case 'unknown_role':
    case 'forbidden':
      throw new Problem(`The invitation was refused: ${outcome.kind}.`);
    default:
      outcome satisfies never;
  }
}

/** `owner create`: prints the link of the invitation. Needs the environment of the web process. */
export async function createOwner(person: { email: string; name: string }): Promise<number> {
  const switchyard = openSwitchyard(process.env, { write: () => undefined });
  await invite(switchyard, person).finally(() => switchyard.close());
  return 0;
}
