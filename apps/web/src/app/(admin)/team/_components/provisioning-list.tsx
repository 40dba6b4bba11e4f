'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const SecretDialog = dynamic(() => import('#/components/shown-once/secret-dialog.tsx').then((module) => module.SecretDialog));
const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));

type Provider = RouterOutputs['provisioning']['list']['providers'][number];
type Token = Provider['tokens'][number];

/** The providers that may provision people, with their tokens: made, shown once, replaced and revoked. */
export function ProvisioningList() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.provisioning.list.queryOptions());
  const settled = { onSettled: () => queries.invalidateQueries(trpc.provisioning.pathFilter()) };
  const issue = useMutation(trpc.provisioning.issueToken.mutationOptions(settled));
  const revoke = useMutation(trpc.provisioning.revokeToken.mutationOptions(settled));
  const [shown, setShown] = useState<{ readonly name: string; readonly token: string } | null>(null);
  const [revoked, setRevoked] = useState<(Token & { readonly name: string }) | null>(null);
  if (data === undefined || data.providers.length === 0) return null;
  async function make({ providerId, name }: Provider): Promise<string | null> {
    const outcome = await issue.mutateAsync({ providerId });
    if (outcome.kind !== 'issued') return `${name} has ${outcome.limit} tokens. Revoke the one that it no longer uses first.`;
    setShown({ name, token: outcome.token });
    return null;
  }
  return (
    <section className="mt-8" aria-labelledby="provisioning">
      <h2 className="mb-2 text-lg font-semibold" id="provisioning">
        Provisioning
      </h2>
      <p className="max-w-[90ch] text-ink-quiet text-sm">
        A provider adds, changes and disables people and groups here by SCIM 2.0, at{' '}
        <Copyable text={data.address} label="the address" whole />. To replace a token, create a second one, enter it at the
        provider, then revoke the first.
      </p>
      <ul className="grid gap-4 mt-4">
        {data.providers.map((provider) => (
          <li key={provider.providerId} className="grid gap-2 border-t border-line pt-3">
            <div className="flex flex-wrap gap-2 items-center">
              <strong className="flex-1 min-w-0 wrap-anywhere font-medium">{provider.name}</strong>
              <span className="text-ink-faint text-xs">
                {provider.people === 1 ? '1 person' : `${provider.people} people`},{' '}
                {provider.groups === 1 ? '1 group' : `${provider.groups} groups`}
              </span>
              <Button
                loading={issue.isPending}
                onClick={() => void reportRefusal(make(provider))}
                aria-label={`Create a token for ${provider.name}`}
              >
                Create token
              </Button>
            </div>
            {provider.tokens.map((token) => (
              <div key={token.id} className="flex flex-wrap gap-2 items-center text-sm">
                <span className="flex-1 min-w-0 text-ink-quiet">
                  Token that ends in <code>{token.lastFour}</code>, created <Moment value={token.createdAt} />,{' '}
                  {token.lastUsedAt === null ? (
                    'not used yet'
                  ) : (
                    <>
                      used <Moment value={token.lastUsedAt} />
                    </>
                  )}
                </span>
                <Button
                  onClick={() => setRevoked({ ...token, name: provider.name })}
                  aria-label={`Revoke the token that ends in ${token.lastFour}`}
                >
                  Revoke
                </Button>
              </div>
            ))}
          </li>
        ))}
      </ul>
      {shown !== null && (
        <SecretDialog
          title={`Token for ${shown.name} was created`}
          secret={shown.token}
          label="the token"
          advice={`Enter it at ${shown.name}. Anyone who has it adds people, and gives them the roles that groups are mapped to.`}
          onClose={() => setShown(null)}
        />
      )}
      {revoked !== null && (
        <ConfirmDialog
          title={`Revoke the token of ${revoked.name}?`}
          action="Revoke token"
          variant="danger"
          onConfirm={async () => {
            await revoke.mutateAsync({ tokenId: revoked.id });
            showToast({ text: `The token of ${revoked.name} that ended in ${revoked.lastFour} was revoked.` });
            return null;
          }}
          onClose={() => setRevoked(null)}
        >
          <p>
            Requests with the token that ends in <code>{revoked.lastFour}</code> are refused immediately: who leaves the company
            keeps access here until {revoked.name} has another one.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
