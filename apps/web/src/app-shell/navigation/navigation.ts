import {
  type Icon,
  IconArrowBackUp,
  IconArrowsLeftRight,
  IconBell,
  IconBook2,
  IconBuildingBank,
  IconBuildingStore,
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
import type { Permission } from '#/trpc/use-may.ts';

/** One entry of the navigation. */
export interface NavigationEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: Icon;
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
      { path: '/overview', label: 'Overview', icon: IconLayoutDashboard },
      { path: '/payments', label: 'Payments', icon: IconCreditCard },
      { path: '/refunds', label: 'Refunds', icon: IconArrowBackUp },
      { path: '/disputes', label: 'Disputes', icon: IconScale },
      { path: '/reconciliation', label: 'Reconciliation', icon: IconArrowsLeftRight },
      { path: '/settlements', label: 'Settlements', icon: IconBuildingBank, permission: 'report:read' },
      { path: '/fees', label: 'Fees', icon: IconReceipt, permission: 'report:read' },
      { path: '/journal', label: 'Journal', icon: IconBook2, permission: 'report:read' },
      { path: '/reports', label: 'Reports', icon: IconChartLine, permission: 'report:read' },
    ],
  },
  {
    title: 'Routing',
    entries: [
      { path: '/routing', label: 'Rules', icon: IconRoute },
      { path: '/health', label: 'Health', icon: IconHeartRateMonitor, permission: 'health:read' },
      { path: '/alerts', label: 'Alerts', icon: IconBell, permission: 'alert:read' },
      { path: '/gateways', label: 'Gateways', icon: IconPlugConnected, permission: 'gateway:read' },
    ],
  },
  {
    title: 'Merchants',
    entries: [
      { path: '/merchants', label: 'Merchants', icon: IconBuildingStore, permission: 'merchant:read' },
      { path: '/keys', label: 'Keys', icon: IconKey, permission: 'key:read' },
      { path: '/webhooks', label: 'Webhooks', icon: IconWebhook, permission: 'webhook:read' },
    ],
  },
  {
    title: 'Workspace',
    entries: [
      { path: '/team', label: 'Team', icon: IconUsers, permission: 'team:read' },
      { path: '/audit', label: 'Audit', icon: IconHistory, permission: 'audit:read' },
      { path: '/privacy', label: 'Data and privacy', icon: IconDatabaseCog, permission: 'retention:read' },
      { path: '/developers', label: 'Developers', icon: IconCode },
    ],
  },
];

/** True if a page belongs to an entry. */
export function isUnder(entry: Pick<NavigationEntry, 'path'>, pathname: string): boolean {
  return pathname === entry.path || pathname.startsWith(`${entry.path}/`);
}
