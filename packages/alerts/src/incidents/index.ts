export { countNotifications, listNotifications, type NotificationInList } from '../notifications/list-notifications.ts';
export { acknowledgeIncident, MUTE_HOURS_MAX, muteIncident, muteKind } from './change-incidents.ts';
export { actionOn, describeIncident } from './describe-incident.ts';
export { readFacts } from './facts.ts';
export { INCIDENT_KINDS, KINDS, SEVERITIES } from './kinds.ts';
export { CLOSED_ORDERS, countClosed, findIncident, type IncidentInList, listClosed, listOpen } from './list-incidents.ts';
export { listMutedKinds } from './list-muted-kinds.ts';
export { type CurrentOutage, type OutageAccount, readCurrentOutage } from './read-current-outage.ts';
