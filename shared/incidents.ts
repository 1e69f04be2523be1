/** What an incident may be, and how much of incidents is kept and shown. */
export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
/** For how long a resolved incident is shown. */
export const INCIDENT_DAYS = 90;
/** The most incidents that are shown, the newest first. */
export const INCIDENTS_MAX = 50;
/** The most updates of one incident. */
export const INCIDENT_UPDATES_MAX = 100;
export const INCIDENT_TITLE_CHARS_MAX = 120;
