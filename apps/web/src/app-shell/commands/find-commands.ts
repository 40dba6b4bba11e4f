import {
  type Icon,
  IconBuildingBank,
  IconBuildingStore,
  IconCreditCard,
  IconHandStop,
  IconRoute,
  IconScale,
  IconSwitchHorizontal,
  IconWebhook,
} from '@tabler/icons-react';
import { gatewayTitle } from '#/copy/gateways.ts';
import { nameAccount } from '#/overrides/use-overrides.ts';
import { hrefIn, MODE_COOKIE, type Scope } from '#/scope/scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { Permission } from '#/trpc/use-can.ts';
import { rememberInCookie } from '../remember.ts';
import { pathInOtherScope } from '../scope/path-in-other-scope.ts';
import type { Command, CommandGroup } from './commands.ts';
import type { RecentObject } from './recent/recent-objects.ts';

/** Words without which a text means the same: `new draft of rules`. */
const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'for', 'to', 'my']);

/**
 * Commands that match a text, the best first, and groups by their best. Best is a label that begins with the text; then one whose
 * words begin with the words of the text; then a keyword that does; then the words of label, keywords and heading together; then text
 * within the label. An empty text finds all, in their order.
 */
export function findCommands(
  groups: readonly CommandGroup[],
  text: string,
  gatewayNames: readonly string[] = [],
): CommandGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return groups.filter(({ commands }) => commands.length > 0);
  return groups
    .map(({ title, commands }) => {
      const found = commands
        .map((command) => ({ command, rank: rankOf(command, wanted, title, gatewayNames) }))
        .filter(({ rank }) => rank < NO_MATCH)
        .toSorted((a, b) => a.rank - b.rank);
      return { group: { title, commands: found.map(({ command }) => command) }, best: found[0]?.rank ?? NO_MATCH };
    })
    .filter(({ best }) => best < NO_MATCH)
    .toSorted((a, b) => a.best - b.best)
    .map(({ group }) => group);
}

const NO_MATCH = 5;

function rankOf(command: Command, wanted: string, title: string, gatewayNames: readonly string[]): number {
  const label = command.label.toLowerCase();
  const keywords = (command.keywords ?? []).map((keyword) => keyword.toLowerCase());
  const gateways = command.namesGateways === true ? gatewayNames : [];
  const more = [command.words ?? '', ...keywords, ...gateways, title].join(' ').toLowerCase();
  if (label.startsWith(wanted)) return 0;
  if (holdsWords(label, wanted)) return 1;
  if (keywords.some((keyword) => keyword.startsWith(wanted))) return 2;
  if (holdsWords(`${label} ${more}`, wanted)) return 3;
  return label.includes(wanted) ? 4 : NO_MATCH;
}

/** True if each word of a text begins a word of another, in any order; fillers only where there is nothing else. */
function holdsWords(searched: string, wanted: string): boolean {
  const parts = wanted.split(/\s+/);
  const meant = parts.filter((part) => !FILLERS.has(part));
  const words = searched.split(/[^\p{L}\p{N}@._-]+/u);
  // An account `paystack-main` is found by its second part as well.
  const starts = [...words, ...words.flatMap((word) => word.split(/[._@-]/))];
  return (meant.length > 0 ? meant : parts).every((part) => starts.some((word) => word.startsWith(part)));
}

type Account = Pick<
  RouterOutputs['gateways']['list'][number],
  'id' | 'label' | 'gateway' | 'merchantId' | 'merchantName' | 'enabled'
>;

/**
 * Commands that open the dialog which drains an account, for each enabled one that the person may drain, and, for people who may act for
 * all merchants, the one that drains a whole gateway.
 */
export function drainCommands(
  accounts: readonly Account[],
  scope: Scope,
  may: (permission: Permission, merchantId: string | null) => boolean,
): Command[] {
  const gateways = may('override:set', null) ? [...new Set(accounts.map(({ gateway }) => gateway))] : [];
  return [...ofAccounts(accounts, scope, may), ...gateways.map(ofGateway)];
}

function ofGateway(gateway: string): Command {
  return {
    id: `drain-gateway:${gateway}`,
    label: `Drain ${gatewayTitle(gateway)} for all merchants`,
    icon: IconHandStop,
    words: `${gateway} stop payments override disable everyone outage`,
    run: ({ go }) => go('/health', { gateway, do: 'drain-gateway' }),
  };
}

function ofAccounts(
  accounts: readonly Account[],
  scope: Scope,
  may: (permission: Permission, merchantId: string) => boolean,
): Command[] {
  return accounts
    .filter(({ enabled, merchantId }) => enabled && may('override:set', merchantId))
    .map((account) => ({
      id: `drain:${account.id}`,
      label: `Drain ${nameAccount(account, scope)}`,
      icon: IconHandStop,
      words: `${account.gateway} stop payments override disable`,
      run: ({ go }) => go('/health', { account: account.id, do: 'override' }),
    }));
}

interface MerchantName {
  readonly merchantId: string;
  readonly name: string;
  readonly merchantNumber: string;
}

const LISTED_WITHOUT_SEARCH_MAX = 5;

/** The same page for another merchant, or in the other mode. Of many merchants none is listed until something is typed. */
export function scopeCommands(scope: Scope, merchants: readonly MerchantName[], typed: boolean): Command[] {
  const other = scope.mode === 'live' ? 'test' : 'live';
  const shown = typed || merchants.length <= LISTED_WITHOUT_SEARCH_MAX ? merchants : [];
  const show = (to: Scope) => window.location.assign(hrefIn(to, pathInOtherScope(window.location.pathname)));
  return [
    {
      id: `mode:${other}`,
      label: other === 'live' ? 'Live payments' : 'Test payments',
      icon: IconSwitchHorizontal,
      words: `switch mode ${other}`,
      run: () => {
        rememberInCookie(MODE_COOKIE, other);
        show({ ...scope, mode: other });
      },
    },
    ...shown
      .filter(({ merchantId }) => merchantId !== scope.merchantId)
      .map(({ merchantId, name, merchantNumber }) => ({
        id: `merchant:${merchantId}`,
        label: name,
        icon: IconBuildingStore,
        words: `switch merchant ${merchantNumber}`,
        run: () => show({ ...scope, merchantId }),
      })),
    ...(scope.merchantId === null
      ? []
      : [
          {
            id: 'merchant:all',
            label: 'All merchants',
            icon: IconBuildingStore,
            words: 'switch merchant',
            run: () => show({ ...scope, merchantId: null }),
          },
        ]),
  ];
}

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
