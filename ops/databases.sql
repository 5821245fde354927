-- A database for each process with a store of its own (compose.cluster.yaml), and the user that they log in as: no superuser.
\getenv password STORE_PASSWORD
CREATE USER walletbell PASSWORD :'password';
CREATE DATABASE feed OWNER walletbell;
CREATE DATABASE bot_a OWNER walletbell;
CREATE DATABASE bot_b OWNER walletbell;
