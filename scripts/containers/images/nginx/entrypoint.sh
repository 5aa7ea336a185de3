#!/bin/sh
# The official image writes its templates out, with the name servers of the network where that is asked for.
set -e
if [ -n "$NGINX_ENTRYPOINT_LOCAL_RESOLVERS" ]; then
  NGINX_LOCAL_RESOLVERS=$(awk '$1 == "nameserver" { print ($2 ~ ":") ? "[" $2 "]" : $2 }' /etc/resolv.conf | tr '\n' ' ')
  export NGINX_LOCAL_RESOLVERS
fi
for template in /etc/nginx/templates/*.template; do
  envsubst "$(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/${\1}/p' | tr '\n' ' ')" < "$template" > "/etc/nginx/conf.d/$(basename "${template%.template}")"
done
exec "$@"
