/** The states of a router, by what it has reported. `shared/api/routers.ts` says what each means. */
export const ROUTER_STATES = ['healthy', 'draining', 'silent', 'offline', 'stopped'] as const;
export type RouterState = (typeof ROUTER_STATES)[number];
