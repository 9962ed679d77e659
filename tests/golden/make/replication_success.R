# Reference values of replicast judge: makes ../replication_success.csv. Run in a folder that holds rs/R (R/ of github.com/cran/ReplicationSuccess 1.3.3)
# and br/R (R/ of github.com/SamCH93/BayesRep 0.42.3). Base R only. Columns: ../replication_success.md.
for (f in list.files("rs/R", full.names=TRUE)) try(source(f), silent=TRUE)
for (f in list.files("br/R", full.names=TRUE)) try(source(f), silent=TRUE)
g <- expand.grid(to=c(0.01,0.03,0.06), so=c(0.012,0.02), tr=c(-0.01,0.005,0.02,0.05), c=c(0.25,1,4))
g$sr <- g$so/sqrt(g$c); g$zo <- g$to/g$so; g$zr <- g$tr/g$sr
g$pS_golden <- mapply(function(a,b,c) pSceptical(a,b,c,"one.sided","golden"), g$zo,g$zr,g$c)
g$pS_controlled <- mapply(function(a,b,c) pSceptical(a,b,c,"one.sided","controlled"), g$zo,g$zr,g$c)
# pSceptical integrates to R's default tolerance, an absolute 1.2e-4: up to 2 % off where p is small. The same
# integral (FZ in pSceptical.R) with t = sin(u)^2, to rel.tol 1e-13:
tail_of <- function(z,c) 2/pi*integrate(function(u) exp(-z^2*(1+sqrt(1+(c-1)*sin(u)^2))/sin(u)^2), 0, pi/2, rel.tol=1e-13, abs.tol=0, subdivisions=2000L)$value
g$pS_controlled_tight <- mapply(function(a,b,c) {p <- sqrt(tail_of(zSceptical(a,b,c),c))/2; if (sign(a)==sign(b)) p else 1-p}, g$zo,g$zr,g$c)
g$zS <- zSceptical(g$zo,g$zr,g$c)
g$Qp <- mapply(function(a,b,c,d) Qtest(a,b,c,d), g$to,g$tr,g$so,g$sr)
pi <- t(mapply(function(a,b,d){r<-predictionInterval(a,b,d,designPrior="predictive"); c(r$lower,r$upper)}, g$to,g$so,g$sr)); g$pi_low<-pi[,1]; g$pi_high<-pi[,2]
g$edgington <- mapply(function(a,b) pEdgington(po=max(pnorm(a,lower.tail=FALSE),1e-300),pr=max(pnorm(b,lower.tail=FALSE),1e-300)), g$zo,g$zr)
g$meta <- with(g,(to/so^2+tr/sr^2)/(1/so^2+1/sr^2)); g$meta_se<-with(g,sqrt(1/(1/so^2+1/sr^2)))
g$BFr <- mapply(function(a,b,c,d) tryCatch(BFr(to=a,tr=b,so=c,sr=d), error=function(e) NA), g$to,g$tr,g$so,g$sr)
g$BFr_hand <- with(g, dnorm(tr,0,sr)/dnorm(tr,to,sqrt(so^2+sr^2)))
g$BFs <- mapply(function(a,b,c,d) tryCatch(BFs(to=a,tr=b,so=c,sr=d), error=function(e) NA), g$to,g$tr,g$so,g$sr)
g$powerRS_golden <- mapply(function(z,c) powerReplicationSuccess(zo=abs(z),c=c,level=.025,designPrior="predictive",alternative="one.sided",type="golden"), g$zo,g$c)
write.csv(g, "replication_success.csv", row.names=FALSE)
print(head(g,4)); print(max(abs(g$BFr-g$BFr_hand),na.rm=TRUE)); print(dim(g)); print(colSums(is.na(g)))
