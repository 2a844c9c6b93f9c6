-- A database as askuser 0.1.0 wrote it (schema 11). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE ask (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing IN (0, 1, 2)),
    state TEXT NOT NULL,
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT
, erased_at INTEGER, people TEXT) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1E7F1DF737000B110910629ED81D0',1,'local',1,1,1,'closed',NULL,NULL,4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794892750885,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1E7F1E0367000995D6061F4A98281',1,'local',2,1,1,'closed',NULL,NULL,7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794892751119,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1E7F1E1267000B92C8E9FC97EF95F',1,'local',3,1,2,'completed',1794892752142,NULL,10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794892752144,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1E7F1E5227000A71E8B9C9299216E',2,'local',1,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1E7F1E53270009B4F111FC2A9E110',1,'local',4,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3QVKE00B244H0RMYV0EG","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794892750707,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R1PE009JQB0C7TAK0M1","owner":"local","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"62b0e06ba2b57a0059fafafc143eb32d","asked_at":1794892750902,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R96E00BJB4EKZ4QXYAZ","owner":"local","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"reply_in":"full"},"fingerprint":"1b3de9c6e16293ad210aa578b796a495","asked_at":1794892751142,"deadline":1794892752142,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7KZ3S92E00V5RR1T4G3N0Q6","ask":"ask_01M7KZ3S92E00AE7MBKJ99J8BE","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794892752162,"state":"pending","reopens":"ask_01M7KZ3QVKE00B244H0RMYV0EG"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3S9JE009PKRH3Z1AKR8G","owner":"local","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"b810e0db75629152e4949a7258948671","asked_at":1794892752178,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(1,'q5',5);
INSERT INTO "ask_question" VALUES(2,'q1',4);
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1794892750707,'session_opened',1,NULL,NULL,X'259AED61DE0792F483BA961C22BB8738',X'7922C9FC8FA2E5383A6D4B54AC78F87AAB3F6C26A7F89AEE7F530420A71AF8E0',X'43EAAC29602CF7F6BA9420D9A86C0F04EC0D0E05421BA886ED15FB636596BF54','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794892750707,"last_activity":1794892750707}');
INSERT INTO "fact" VALUES(2,1794892750707,'asked',1,1,1,X'DE2FC8F3CDF4126A7AB7ABF33892631C',X'07D37CEA5C4AE03F24EE417C31F97319F4232BA35C38624C64601AC20BDD0032',X'6F6CE0042CE714A4DD0FB209DA94F0B20ACDD28A2CB9C37BC6181CC49BD596AC',NULL);
INSERT INTO "fact" VALUES(3,1794892750707,'shown',1,2,1,X'D3F49E12A525E299BDAB731009EF77C8',X'938711641B9D6620418DADC5621DEA0FC88C5537C12A7E618261DF7CDB8DE5BA',X'2F66C79E08DBB5081340BF80127A6458C1F200FA811CEB64A6A68BA1AE3A1D40','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3QVKE00B244H0RMYV0EG"}');
INSERT INTO "fact" VALUES(4,1794892750885,'closed',1,3,1,X'73CEE4627673B2DE7F70BBDBB6A19668',X'3BB0A61C362E05A14338422A7B5ACAB9785E23218A0262A405CE9CD6AD8C10E8',X'11446E518C8DD473690AD0E35AA05FD7C75483B27550518D9AB4ED31C916153A','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3QVKE00B244H0RMYV0EG","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794892750885,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1794892750902,'asked',1,4,2,X'9FDC38EE3677598265A719F238FFE522',X'3FA54C548AE2785A95942983634A83D76F8215CFABDA10A82B0DEDACD930D15F',X'4A28EE8BE1581DD9BD17962B73D5CE734FA6C8BE10093139D5F542255D98B980',NULL);
INSERT INTO "fact" VALUES(6,1794892750902,'shown',1,5,2,X'E2B01FFEB2C176B5F3BB8E9EDECE356B',X'E621A705D851FE601CED082B5FD4C0EEA97C2B0EF3A2C0FEBAB594B4DD923C71',X'A573DB2363F2CA286E7CD7E51F95B822B38FBA054A89E06B142670C99840B5CA','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R1PE009JQB0C7TAK0M1"}');
INSERT INTO "fact" VALUES(7,1794892751119,'closed',1,6,2,X'5F365F26D1828C45A6D07CEEC825060E',X'38F858B0D202A6F55DEBB5BF9A8A41DCB244766D0DCA01109ED56C614DFEF5EF',X'D87DB39172BDDC31648BF73EABAD70111BCFA0D42E249D5EBD93699FCC376A8C','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R1PE009JQB0C7TAK0M1","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794892751119,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1794892751142,'asked',1,7,3,X'9F110D823C60205A52590E49F9161BB4',X'ABF43289B3B83978E93A8F352BC78F7A3501BF13022B9ABF22B6A0781720BBD7',X'3784B5D6F8B06510EAE9D60EA6DA158E453E8A9FD1F9DBE8F72D474CD6FB4C49',NULL);
INSERT INTO "fact" VALUES(9,1794892751142,'shown',1,8,3,X'7D0FE8D6055B8445B43EA828EF97D057',X'343812241D668059624E0F687B274DCA18624D7F1CDC1AD6EEF374A13B858FCB',X'4C16BD7C31E8C4CDD55C388FEBF51CA5475341FEE957F8010A7CE032E782B030','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R96E00BJB4EKZ4QXYAZ"}');
INSERT INTO "fact" VALUES(10,1794892752144,'closed',1,9,3,X'9DE82712D9E4F92AB0CE9055266718EB',X'D47815C1BB7D9D2A3D83BDC9E490F3806095A2BD0C9EC3E05FB79127BAD1CA51',X'5B9D8FF4B7C60C1663FF940CEA3A8C883E8CDCAF45FA10659BDCEC8C83EA23D7','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R96E00BJB4EKZ4QXYAZ","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794892752144,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794892752149,'delivered',1,10,3,X'F058D05EA46177F38B2D00E7D56BA554',X'15632AC91B8F527826E3D87EBDEFE82EFA33B398AD0834D5EA635CA1C19C0E1B',X'2C5D0D97F09DF71E993B440F5A1F93D99EE2FA9EFADC597A6F44B1FBC0E4F850','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R96E00BJB4EKZ4QXYAZ"}');
INSERT INTO "fact" VALUES(12,1794892752149,'acknowledged',1,11,3,X'78A88E50AA0580F9EEA4240A0DACB322',X'64EBA66CE7250E66A15BA67AED5677D37B965FBE1EFB6C48719C00581F3A4611',X'8B1BD8426C0DFD6F0D0C109049AA50322C4E17D630EB647A91FD8F2B75569AD4','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3R96E00BJB4EKZ4QXYAZ"}');
INSERT INTO "fact" VALUES(13,1794892752162,'session_opened',2,NULL,NULL,X'40B93FF5FBF6A0FB4349AA6DE35F4D1A',X'87AAB1C7A2578E2D1A90C510F4F6B088E195D0A61232249EB0EAF779B317AF2B',X'0277486F763BB3948FEBD05D4C378811A0640688D815FFA1F75CB0C5EC561D07','{"session":"ses_01M7KZ3S92E00V5RR1T4G3N0Q6","owner":"local","origin":{"restored":"ses_01M7KZ3QVKE00R833HP0ERRNFY"},"status":"active","round":0,"created_at":1794892752162,"last_activity":1794892752162}');
INSERT INTO "fact" VALUES(14,1794892752162,'asked',2,13,4,X'46547BFBFA586FB239A1C05C6543BFF6',X'FC3B6628AA33128BC0FA291A2113E224074C262C8AD31961EDF882A9CB16D069',X'B147AD036430802F18026F720437A5C3E15505326EACC0400C24F463760E84D1',NULL);
INSERT INTO "fact" VALUES(15,1794892752162,'shown',2,14,4,X'D3A1529604E57137724FC9E0181B0788',X'599E79D7BC275B4C57483D2EFADDE79A4BE7479146354465A2B76CAA801D3C0F',X'A911F78DE1C16F26CB5F57FC14AEAA33F7C04AEE3CB35EA2715DAD25CF0C2448','{"session":"ses_01M7KZ3S92E00V5RR1T4G3N0Q6","ask":"ask_01M7KZ3S92E00AE7MBKJ99J8BE"}');
INSERT INTO "fact" VALUES(16,1794892752178,'asked',1,12,5,X'47F1129EC45F8B8B93FA763B0EFF8302',X'067B886118BC83B137A03832A135AB5B1B3561C93E9AD768517B3CC2981142B5',X'7C79F3636E4CE8300667B46EC423353A1E32F9885D7B5AC0956BCC56471DCA8C',NULL);
INSERT INTO "fact" VALUES(17,1794892752178,'shown',1,16,5,X'8D3D1618E942EE6AF25E1B3E1330E5BC',X'649D78DB8846631B0BCDA73AB6E2B31AD07EEAB1F066792383E4F75754A8F602',X'F19422C90B7CBBB07D5CF6743C43054F3DB759F91FD844FF64EDB5C8ADF89DD4','{"session":"ses_01M7KZ3QVKE00R833HP0ERRNFY","ask":"ask_01M7KZ3S9JE009PKRH3Z1AKR8G"}');
INSERT INTO "fact" VALUES(18,1794892752426,'session_opened',3,NULL,NULL,X'1EFF572A33C0D53ED94BEB8308F3BDEB',X'A6F19CAC7E953B919DF5A497986CA18A87B7E197E3EF318AE1F8293155D24F82',X'8BE362B77FEC905E6B717148DC18B8E136CA994F456CC4A22D01F54132F8EB1A','{"session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","owner":"local","origin":"named","status":"active","round":0,"created_at":1794892752426,"last_activity":1794892752426}');
INSERT INTO "fact" VALUES(19,1794892752426,'task_changed',3,18,NULL,X'C5976B7323FF484BF507802CEE46D5EC',X'944E0E3399BCB1F2C10859242C1E55C123841BCA17495216C54A6A5A5CD70DB9',X'96DEA33CA973586AB41897F72CBFE99C4753F5DD288C6F19A4CF9D517A394814','{"session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","by":{"user":"local","channel":"api","proof":"key_file"},"task":{"task":"task_01M7KZ3SHAE00BY20PXJ894WEY","session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_4S4ARZWAX0KEB7A1JVEKTG1WPZ","created_at":1794892752426,"changed_at":1794892752426}}');
INSERT INTO "fact" VALUES(20,1794892752426,'said',3,19,NULL,X'CDCBEA8F817874FB1951FC4585D06F0C',X'853ED5E8CAB06096D18ADD1D958F34823924BDEEC17C1F4854CBFFE12FD7DE02',X'AA5B0AD2D22581D58B6F51A3F99A915C11D1CFA826D755B47F61C3EA4CCCF1DE','{"session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","uuid":"01a1e7f1-e62a-7002-ad48-6c66b993641a","round":0,"at":1794892752426,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794892752430,'task_changed',3,20,NULL,X'9D00F96C0804B1E58DC1C8A8BF469FBC',X'F368728FCF1F0D629D8813035DA046538CD50892B3940BA3E79B8B55EC5819C6',X'380BF188733347B0B87F86023170DFD16157F579E514E83BDCDB3042A00FBC63','{"session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7KZ3SHAE00BY20PXJ894WEY","session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_4S4ARZWAX0KEB7A1JVEKTG1WPZ","pid":13890,"pid_started":188649,"created_at":1794892752426,"changed_at":1794892752430}}');
INSERT INTO "fact" VALUES(22,1794892752433,'said',3,21,NULL,X'AEA1BE3BE998EA1A5B5A9BA4A0AE9951',X'9D08A8166A03F401F15D7E3DF2097F4856563992B76B96608EF5009026FE5BDD',X'DC299CC649C897538CFA3F72399F766056C974731DDF4A61B070A6A7FEA4473F','{"session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","uuid":"01a1e7f1-e631-7000-9ccf-092c72f476e3","parent":"01a1e7f1-e62a-7002-ad48-6c66b993641a","round":0,"at":1794892752433,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794892752434,'task_changed',3,22,NULL,X'CC2D7026D0FE4BD6D9ADEF20EDFB5791',X'7A05BD994CE96AA39D95AC8B9A684732B8D74B03DF660388FC363BB581431CB8',X'2BE13F165506E1E9E271B083965820F34793F325737FC7F8BF3DDDD2FA989D1B','{"session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7KZ3SHAE00BY20PXJ894WEY","session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_4S4ARZWAX0KEB7A1JVEKTG1WPZ","created_at":1794892752426,"changed_at":1794892752434}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'2BE13F165506E1E9E271B083965820F34793F325737FC7F8BF3DDDD2FA989D1B');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1E7F1DF6370009383EC1C6E814DCF',X'74795F54E5D14182B53C8C84DD8FD8AD3999D37091E2070D62DA60865A06D86A','agent',1,'local',1794892750691,NULL);
INSERT INTO "key" VALUES(2,X'01A1E7F1DF647000912E1A2CC1829DC2',X'E11228322DF0B0A9522D94AAFFA270C02990F55BBAA151E163FAE814AB077225','person',1,'local',1794892750692,NULL);
INSERT INTO "key" VALUES(3,X'01A1E7F1DF6570009D755592243647F3',X'EBF1CEB94B02EDA8B086FD70EB0F5A0FB9CEBCF329A2BFA42D60C895BF38C9C6','admin',1,'local',1794892750693,NULL);
INSERT INTO "key" VALUES(4,X'01A1E7F1E61D7000813FE0DF67D7AB92',X'17F35F7BA535E37A3211366D7C3E9BBAAF1FE2B57FF07B02EDE270C9EF511EE7','agent',2,'made by hand',1794892752413,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE made_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, ask, place)
) STRICT;
CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1794892750676,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1794892750676,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,0,X'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER, timeout_ms INTEGER, timeout_policy TEXT) STRICT;
INSERT INTO "session" VALUES(1,X'01A1E7F1DF737001840C71B01D8C55FE','local','conversation',0,'named',NULL,'active',4,NULL,1794892750707,1794892752178,X'B810E0DB75629152E4949A7258948671',1,1794892752178,1,NULL,17,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1E7F1E5227001B2E301D1203A82E6','local',NULL,0,'restored',X'01A1E7F1DF737001840C71B01D8C55FE','active',1,NULL,1794892752162,1794892752162,X'1EE8A8921906F20DAF7519783179D978',1,1794892752162,1,NULL,15,NULL,NULL);
INSERT INTO "session" VALUES(3,X'01A1E7F1E62A70018F0184BDC36C0F72','local',NULL,0,'named',NULL,'active',0,NULL,1794892752426,1794892752434,NULL,NULL,NULL,0,NULL,23,NULL,NULL);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1E7F1E62A7000BF0816EC909271DE','local','failed','{"task":"task_01M7KZ3SHAE00BY20PXJ894WEY","session":"ses_01M7KZ3SHAE00RY0C4QQ1PR3VJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_4S4ARZWAX0KEB7A1JVEKTG1WPZ","created_at":1794892752426,"changed_at":1794892752434}',X'01A1E7F1E63170009CCF092C72F476E3',X'9922B1FE2BA09B9675065B74F500F2DF');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794892750690,NULL);
INSERT INTO "user" VALUES(2,'ben',1794892752397,NULL);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_user ON browser (user);
CREATE INDEX made_rule_mark ON made_rule (person, mark);
COMMIT;
