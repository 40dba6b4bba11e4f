import {
  type Icon,
  IconAdjustments,
  IconAdjustmentsHorizontal,
  IconBuildingBank,
  IconBuildingStore,
  IconCode,
  IconDownload,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlugConnected,
  IconRoute,
  IconShieldLock,
  IconUpload,
  IconUserPlus,
  IconWebhook,
} from '@tabler/icons-react';
import type { Scope } from '#/scope/scope.ts';
import type { Permission } from '#/trpc/use-can.ts';
import { NAVIGATION } from '../navigation/navigation.ts';

/** Tools of a command's `run`. */
export interface CommandTools {
  readonly scope: Scope;
  /** Navigates within the dashboard, keeping merchant and mode; `query` is added to the URL. */
  readonly go: (path: string, query?: Readonly<Record<string, string>>) => void;
  readonly toggleScheme: () => void;
  readonly showShortcuts: () => void;
  readonly signOut: () => void;
}

/** Something the command menu offers on every page. */
export interface Command {
  readonly id: string;
  /** A verb and its object: `Invite a person`. */
  readonly label: string;
  readonly icon: Icon;
  /** Synonyms that the search also matches. */
  readonly words?: string;
  /** Words that lead to a page, as people say them: they go before {@link words}. */
  readonly keywords?: readonly string[];
  /** True if the search also matches the name of any gateway. */
  readonly namesGateways?: boolean;
  /** Keys pressed one after the other: `g p`. */
  readonly keys?: string;
  /** The permission that offers the command. The server checks it again. */
  readonly permission?: Permission;
  /** True if it takes the permission for all merchants. */
  readonly forAll?: true;
  readonly run: (tools: CommandTools) => void;
}

/** Commands under one heading of the command menu. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The second key of `g …`, by page. */
const GO_KEYS: Readonly<Record<string, string>> = {
  '/overview': 'o',
  '/payments': 'p',
  '/refunds': 'f',
  '/reconciliation': 'c',
  '/reports': 'e',
  '/routing': 'r',
  '/health': 'h',
  '/gateways': 'g',
  '/merchants': 'm',
  '/keys': 'k',
  '/webhooks': 'w',
  '/team': 't',
  '/audit': 'a',
  '/developers': 'd',
};

const goTo: readonly Command[] = NAVIGATION.flatMap(({ title, entries }) =>
  entries.map(({ path, label, icon, keywords, permission }) => ({
    id: `go:${path}`,
    label,
    icon,
    keywords,
    words: `go to open ${title}`,
    ...(permission !== undefined && { permission }),
    ...(GO_KEYS[path] !== undefined && { keys: `g ${GO_KEYS[path]}` }),
    run: ({ go }: CommandTools) => go(path),
  })),
);

/** Actions that work from anywhere. A page that offers a new thing adds its line here; `run` leads to where it is done. */
const doing: readonly Command[] = [
  {
    id: 'gateways.connect',
    label: 'Connect an account at a gateway',
    icon: IconPlugConnected,
    words: 'gateway credentials add',
    namesGateways: true,
    permission: 'gateway:configure',
    run: ({ go }) => go('/gateways', { do: 'connect' }),
  },
  {
    id: 'payments.export',
    label: 'Export payments',
    icon: IconDownload,
    words: 'csv xlsx excel spreadsheet ndjson download file',
    permission: 'report:export',
    run: ({ go }) => go('/payments', { do: 'export' }),
  },
  {
    id: 'settlements.bank',
    label: 'Import bank statements',
    icon: IconBuildingBank,
    words: 'payouts import upload mt940 camt csv match',
    permission: 'reconciliation:resolve',
    run: ({ go }) => go('/settlements/bank'),
  },
  {
    id: 'health.thresholds',
    label: 'Change health thresholds',
    icon: IconAdjustmentsHorizontal,
    words: 'down degraded slow probing limits',
    permission: 'health:read',
    run: ({ go }) => go('/health/thresholds'),
  },
  {
    id: 'routing.draft',
    label: 'Draft new routing rules',
    icon: IconRoute,
    words: 'new draft rules change edit',
    permission: 'routing:publish',
    run: ({ go }) => go('/routing', { do: 'draft' }),
  },
  {
    id: 'routing.import',
    label: 'Import routing rules',
    icon: IconUpload,
    words: 'file upload rules json draft',
    permission: 'routing:publish',
    run: ({ go }) => go('/routing/import'),
  },
  {
    id: 'key.issue',
    label: 'Create an API key',
    icon: IconKey,
    words: 'keys secret token new issue',
    permission: 'key:issue',
    run: ({ go }) => go('/keys', { do: 'issue' }),
  },
  {
    id: 'webhook.create',
    label: 'Add a webhook endpoint',
    icon: IconWebhook,
    words: 'webhooks events url receiver new',
    permission: 'webhook:configure',
    run: ({ go }) => go('/webhooks', { do: 'create' }),
  },
  {
    id: 'token.issue',
    label: 'Create machine token',
    icon: IconKey,
    words: 'reports graphql export program agent mcp model context protocol ai new issue',
    run: ({ go }) => go('/developers/tokens', { do: 'issue' }),
  },
  {
    id: 'merchant.create',
    label: 'Add merchant',
    icon: IconBuildingStore,
    words: 'merchants tenant business new create add',
    permission: 'merchant:create',
    forAll: true,
    run: ({ go }) => go('/merchants', { do: 'create' }),
  },
  {
    id: 'team.invite',
    label: 'Invite a person',
    icon: IconUserPlus,
    words: 'team staff add user member role',
    permission: 'team:manage',
    run: ({ go }) => go('/team', { do: 'invite' }),
  },
  {
    id: 'account.two-factor',
    label: 'Set up two-factor sign-in',
    icon: IconShieldLock,
    words: '2fa totp authenticator backup codes security account',
    run: ({ go }) => go('/account'),
  },
  {
    id: 'account.sessions',
    label: 'Sign out of other sessions',
    icon: IconLogout,
    words: 'sessions devices browsers account',
    run: ({ go }) => go('/account', { at: 'sessions' }),
  },
];

const looking: readonly Command[] = [
  {
    id: 'scheme',
    label: 'Switch between light and dark',
    icon: IconMoon,
    words: 'theme colour color scheme night',
    run: ({ toggleScheme }) => toggleScheme(),
  },
  {
    id: 'shortcuts',
    label: 'Show keyboard shortcuts',
    icon: IconKeyboard,
    words: 'keys help hotkeys',
    keys: '?',
    run: ({ showShortcuts }) => showShortcuts(),
  },
  {
    id: 'account',
    label: 'Your account',
    icon: IconAdjustments,
    words: 'profile password settings',
    run: ({ go }) => go('/account'),
  },
  {
    id: 'docs',
    label: 'Documentation',
    icon: IconCode,
    words: 'docs api reference rest openapi',
    run: () => window.location.assign('/docs'),
  },
  { id: 'sign-out', label: 'Sign out', icon: IconLogout, words: 'log out leave', run: ({ signOut }) => signOut() },
];

/** Every page and action that can be reached from anywhere. */
export const COMMANDS: readonly CommandGroup[] = [
  { title: 'Go to', commands: goTo },
  { title: 'Do', commands: doing },
  { title: 'Switchyard', commands: looking },
];
