/** nginx and HAProxy with one worker each, which compare one key and pass everything on. */
import { type GatewayKind, PEER_KEY } from './gateway.ts';
import { type PeerProgram, startPeer, versionOf } from './peer.ts';

const NGINX: PeerProgram = {
  name: 'nginx',
  args: (folder, file) => ['-c', file, '-p', folder, '-e', 'stderr'],
  configure: (port, engine) => `
daemon off; worker_processes 1; pid nginx.pid; error_log stderr warn; worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http {
  access_log off; server_tokens off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  upstream engine { server ${engine.host}; keepalive 1024; keepalive_requests 10000000; }
  map $http_authorization $allowed { default 0; "Bearer ${PEER_KEY}" 1; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    keepalive_requests 10000000; client_max_body_size 50m; client_body_buffer_size 256k;
    location / {
      if ($allowed = 0) { return 401; }
      proxy_pass http://engine; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_read_timeout 600s;
    }
  }
}
`,
};

const HAPROXY: PeerProgram = {
  name: 'haproxy',
  args: (_folder, file) => ['-db', '-q', '-f', file],
  configure: (port, engine) => `
global
  maxconn 8000
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 600s
  timeout server 600s
  timeout http-keep-alive 600s
  option http-no-delay
  option http-keep-alive
frontend in
  bind 127.0.0.1:${port}
  http-request deny deny_status 401 unless { req.hdr(authorization) -m str "Bearer ${PEER_KEY}" }
  default_backend engine
backend engine
  http-reuse always
  server engine ${engine.host} maxconn 8000 pool-max-conn 4000
`,
};

export const nginx: GatewayKind = {
  name: 'nginx',
  carries: 'one key',
  isCompiledLate: false,
  version: versionOf('nginx', '-v'),
  start: (engineUrl) => startPeer(NGINX, engineUrl),
};

export const haproxy: GatewayKind = {
  name: 'haproxy',
  carries: 'one key',
  isCompiledLate: false,
  version: versionOf('haproxy', '-v'),
  start: (engineUrl) => startPeer(HAPROXY, engineUrl),
};
