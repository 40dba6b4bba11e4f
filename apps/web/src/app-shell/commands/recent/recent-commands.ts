import {
  type Icon,
  IconBuildingBank,
  IconBuildingStore,
  IconCreditCard,
  IconRoute,
  IconScale,
  IconWebhook,
} from '@tabler/icons-react';
import type { Scope } from '#/scope/scope.ts';
import type { Permission } from '#/trpc/use-can.ts';
import type { Command } from '../commands.ts';
import type { RecentObject } from './recent-objects.ts';

interface Kind {
  readonly name: string;
  readonly icon: Icon;
  readonly path: string;
  /** The permission that its page takes. */
  readonly permission: Permission;
}

const KINDS: Readonly<Record<RecentObject['kind'], Kind>> = {
  payment: { name: 'Payment', icon: IconCreditCard, path: '/payments', permission: 'payment:read' },
  settlement: { name: 'Settlement', icon: IconBuildingBank, path: '/settlements', permission: 'report:read' },
  dispute: { name: 'Dispute', icon: IconScale, path: '/disputes', permission: 'payment:read' },
  merchant: { name: 'Merchant', icon: IconBuildingStore, path: '/merchants', permission: 'merchant:read' },
  draft: { name: 'Draft', icon: IconRoute, path: '/routing/drafts', permission: 'routing:read' },
  endpoint: { name: 'Endpoint', icon: IconWebhook, path: '/webhooks/endpoints', permission: 'webhook:read' },
};

/** Commands that open recent objects again: those of the page's scope that the person may still see. */
export function recentCommands(
  objects: readonly RecentObject[],
  scope: Scope,
  maySee: (permission: Permission, merchantId: string) => boolean,
): Command[] {
  return objects
    .filter(({ mode }) => mode === null || mode === scope.mode)
    .filter(({ merchantId }) => scope.merchantId === null || scope.merchantId === merchantId)
    .filter(({ kind, merchantId }) => maySee(KINDS[kind].permission, merchantId))
    .map(({ kind, id, title, merchantId }) => {
      const { name, icon, path } = KINDS[kind];
      return {
        id: `recent:${kind}:${id}`,
        label: `${name}: ${title}`,
        icon,
        // Rules are of one merchant, whose draft is not found in the scope of all.
        run: ({ go }) => go(`${path}/${id}`, kind === 'draft' ? { merchant: merchantId } : {}),
      };
    });
}
