import {
  type Icon,
  IconArrowBackUp,
  IconArrowsLeftRight,
  IconBell,
  IconBook2,
  IconBuildingBank,
  IconBuildingStore,
  IconCalendarCheck,
  IconChartLine,
  IconCode,
  IconCreditCard,
  IconDatabaseCog,
  IconHeartRateMonitor,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconPlugConnected,
  IconReceipt,
  IconRoute,
  IconScale,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { Permission } from '#/trpc/use-can.ts';

export interface NavigationEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: Icon;
  /** Words that people search the page by, besides its label; each is of one page. */
  readonly keywords: readonly string[];
  /** The permission that shows the link. */
  readonly permission?: Permission;
}

/** Pages under one heading of the navigation. */
export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

/** The pages of the navigation, in order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Money',
    entries: [
      { path: '/overview', label: 'Overview', icon: IconLayoutDashboard, keywords: ['dashboard', 'home', 'today', 'attention'] },
      {
        path: '/payments',
        label: 'Payments',
        icon: IconCreditCard,
        keywords: ['transactions', 'orders', 'charges', 'customers', 'collections'],
      },
      {
        path: '/refunds',
        label: 'Refunds',
        icon: IconArrowBackUp,
        keywords: ['money back', 'duplicate charges', 'return money', 'reversals'],
      },
      { path: '/disputes', label: 'Disputes', icon: IconScale, keywords: ['chargebacks', 'evidence', 'fraud', 'complaints'] },
      {
        path: '/reconciliation',
        label: 'Reconciliation',
        icon: IconArrowsLeftRight,
        keywords: ['discrepancies', 'mismatches', 'unmatched', 'differences', 'ledger', 'gateway statement'],
        permission: 'report:read',
      },
      {
        path: '/settlements',
        label: 'Settlements',
        icon: IconBuildingBank,
        keywords: ['payouts', 'bank statement', 'bank account', 'money at the bank', 'disbursements'],
        permission: 'report:read',
      },
      {
        path: '/fees',
        label: 'Fees',
        icon: IconReceipt,
        keywords: ['costs', 'commission', 'overcharged', 'invoice', 'vat'],
        permission: 'report:read',
      },
      {
        path: '/month-close',
        label: 'Month close',
        icon: IconCalendarCheck,
        keywords: ['month end', 'close the month', 'sign off', 'freeze', 'adjustments', 'balance'],
        permission: 'report:read',
      },
      {
        path: '/journal',
        label: 'Journal',
        icon: IconBook2,
        keywords: ['accounting', 'bookkeeping', 'double entry', 'trial balance', 'erp', 'quickbooks', 'xero', 'sage'],
        permission: 'report:read',
      },
      {
        path: '/reports',
        label: 'Reports',
        icon: IconChartLine,
        keywords: ['csv', 'excel', 'spreadsheet', 'revenue', 'volume', 'sales', 'statistics', 'conversion'],
        permission: 'report:read',
      },
    ],
  },
  {
    title: 'Routing',
    entries: [
      {
        path: '/routing',
        label: 'Rules',
        icon: IconRoute,
        keywords: ['routing', 'fallback', 'split traffic', 'priority', 'publish', 'versions', 'roll back'],
        permission: 'routing:read',
      },
      {
        path: '/health',
        label: 'Health',
        icon: IconHeartRateMonitor,
        keywords: ['drain', 'outage', 'downtime', 'degraded', 'incident', 'override', 'success rate', 'latency', 'status'],
        permission: 'health:read',
      },
      {
        path: '/alerts',
        label: 'Alerts',
        icon: IconBell,
        keywords: ['notifications', 'on call', 'pager', 'slack', 'channels', 'telegram'],
        permission: 'alert:read',
      },
      {
        path: '/gateways',
        label: 'Gateways',
        icon: IconPlugConnected,
        keywords: ['limits', 'providers', 'processors', 'credentials', 'gateway accounts', 'connectors'],
        permission: 'gateway:read',
      },
    ],
  },
  {
    title: 'Merchants',
    entries: [
      {
        path: '/merchants',
        label: 'Merchants',
        icon: IconBuildingStore,
        keywords: ['tenants', 'businesses', 'shops', 'sub-accounts'],
        permission: 'merchant:read',
      },
      {
        path: '/keys',
        label: 'Keys',
        icon: IconKey,
        keywords: ['api keys', 'secret key', 'test key', 'rotate key'],
        permission: 'key:read',
      },
      {
        path: '/webhooks',
        label: 'Webhooks',
        icon: IconWebhook,
        keywords: ['webhook secret', 'endpoints', 'deliveries', 'events', 'callback url', 'signing secret', 'resend'],
        permission: 'webhook:read',
      },
    ],
  },
  {
    title: 'Workspace',
    entries: [
      {
        path: '/team',
        label: 'Team',
        icon: IconUsers,
        keywords: ['invite', 'staff', 'users', 'people', 'roles', 'permissions', 'members', 'colleagues'],
        permission: 'team:read',
      },
      {
        path: '/audit',
        label: 'Audit',
        icon: IconHistory,
        keywords: ['log', 'history', 'trail', 'who changed'],
        permission: 'audit:read',
      },
      {
        path: '/privacy',
        label: 'Data and privacy',
        icon: IconDatabaseCog,
        keywords: ['erase customer', 'delete customer', 'export customer', 'retention', 'gdpr', 'ndpa', 'personal data'],
        permission: 'retention:read',
      },
      {
        path: '/developers',
        label: 'Developers',
        icon: IconCode,
        keywords: [
          'mcp',
          'graphql',
          'sdk',
          'machine tokens',
          'integration',
          'openapi',
          'switch over',
          'request log',
          'api calls',
          'request id',
        ],
      },
    ],
  },
];

/** True if a page belongs to an entry. */
export function isUnder(entry: Pick<NavigationEntry, 'path'>, pathname: string): boolean {
  return pathname === entry.path || pathname.startsWith(`${entry.path}/`);
}
