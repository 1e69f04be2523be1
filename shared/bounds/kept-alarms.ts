/** For how many days the alarms of the platform are kept after their end. */
export const ALARM_DAYS = 90;
