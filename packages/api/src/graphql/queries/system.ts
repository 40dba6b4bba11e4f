import { type GatewayPresence, readSystemHealth, type SystemHealth } from '../../system-health.ts';
import { builder } from '../builder.ts';
import { Mode } from '../types/enums.ts';

const DatabaseHealth = builder.objectRef<SystemHealth['database']>('DatabaseHealth').implement({
  description: 'Whether the database answers.',
  fields: (t) => ({
    up: t.exposeBoolean('up', { description: 'It answered just now.' }),
    latencyMs: t.exposeFloat('latencyMs', {
      nullable: true,
      description: 'Milliseconds the answer took; null when there was none.',
    }),
  }),
});

const ConfigurationHealth = builder.objectRef<SystemHealth['configuration']>('ConfigurationHealth').implement({
  description: 'Keys, accounts and rules are served from memory; this tells how old that picture is.',
  fields: (t) => ({
    current: t.exposeBoolean('current', { description: 'Read within the last five seconds.' }),
    ageMs: t.exposeInt('ageMs', {
      nullable: true,
      description: 'Milliseconds since it was last read; null before the first reading.',
    }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true, description: 'When it was last read.' }),
  }),
});

const GatewayPresenceType = builder.objectRef<GatewayPresence>('GatewayPresence').implement({
  description: 'How many accounts your merchants have at a gateway.',
  fields: (t) => ({
    gateway: t.exposeString('gateway', { description: 'The gateway, by name: paystack.' }),
    mode: t.expose('mode', { type: Mode, description: 'Test or live.' }),
    accounts: t.exposeInt('accounts', { description: 'Accounts in all.' }),
    enabled: t.exposeInt('enabled', { description: 'Accounts that are switched on.' }),
  }),
});

const SystemHealthType = builder.objectRef<SystemHealth>('SystemHealth').implement({
  description: 'Whether the parts the switch stands on are there.',
  fields: (t) => ({
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When this was found out.' }),
    database: t.expose('database', { type: DatabaseHealth, description: 'The database.' }),
    configuration: t.expose('configuration', { type: ConfigurationHealth, description: 'The configuration in memory.' }),
    gateways: t.field({
      type: [GatewayPresenceType],
      description: 'Gateways your merchants have accounts at.',
      resolve: (health) => [...health.gateways],
    }),
  }),
});

builder.queryField('systemHealth', (t) =>
  t.field({
    type: SystemHealthType,
    description: 'Whether the parts the switch stands on are there.',
    authScopes: { permission: 'system:read' },
    resolve: async (_root, _input, { switchyard, viewer }) =>
      readSystemHealth(switchyard, [...viewer.merchantsFor('system:read')]),
  }),
);
