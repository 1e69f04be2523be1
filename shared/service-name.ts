/** What the service is called on the router's own pages, and on its documents. */
export const SERVICE_NAME = 'Penstock';
